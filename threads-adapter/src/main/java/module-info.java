/** The view for Java threads, platform and virtual: classes shaped like those of {@code java.util.concurrent}. */
module dev.cqs.threads {
    requires transitive dev.cqs;

    exports dev.cqs.threads;
}

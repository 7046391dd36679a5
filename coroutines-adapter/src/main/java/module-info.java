/** The view for Kotlin coroutines: classes shaped like those of {@code kotlinx.coroutines.sync}. */
module dev.cqs.coroutines {
    requires transitive dev.cqs;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;

    exports dev.cqs.coroutines;
}

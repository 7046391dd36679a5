/** The classic locks, in plain Java with variable handles. */
module dev.cqs.locks {
    exports dev.cqs.locks;
}

/** The classic locks, as plain Java with variable handles. */
module dev.cqs.locks {
    exports dev.cqs.locks;
}

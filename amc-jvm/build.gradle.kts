plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "An await model checker for the JVM, without dependencies"

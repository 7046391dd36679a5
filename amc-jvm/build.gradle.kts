plugins {
    id("cqs.library-conventions")
    id("cqs.test-conventions")
}

description = "An await model checker for the JVM, with ASM to read and write bytecode"

dependencies {
    implementation(libs.asm.commons)
}

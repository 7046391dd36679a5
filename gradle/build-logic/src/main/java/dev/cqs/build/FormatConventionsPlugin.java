package dev.cqs.build;

import com.diffplug.gradle.spotless.SpotlessExtension;
import com.diffplug.gradle.spotless.SpotlessPlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.artifacts.VersionCatalog;
import org.gradle.api.artifacts.VersionCatalogsExtension;

/** How code is set, for the root and all modules: spotlessCheck and spotlessApply, which Maven has as well. */
public class FormatConventionsPlugin implements Plugin<Project> {

    @Override
    public void apply(Project root) {
        root.getPluginManager().apply(SpotlessPlugin.class);

        VersionCatalog libs =
                root.getExtensions().getByType(VersionCatalogsExtension.class).named("libs");
        SpotlessExtension spotless = root.getExtensions().getByType(SpotlessExtension.class);
        // A step of its own, as in Maven: who runs the tests does not want to hear of a line that is too long.
        spotless.setEnforceCheck(false);
        spotless.java(java -> {
            java.target(
                    "*/src/*/java/**/*.java",
                    "model-checker/*/src/*/java/**/*.java",
                    "gradle/build-logic/src/*/java/**/*.java");
            // Comments stay as they are set.
            java.palantirJavaFormat(version(libs, "palantir-java-format")).formatJavadoc(false);
            // For tables in code: // spotless:off, // spotless:on.
            java.toggleOffOn();
        });
        spotless.kotlin(kotlin -> {
            kotlin.target("*/src/*/kotlin/**/*.kt");
            try {
                // The style is in .editorconfig.
                kotlin.ktlint(version(libs, "ktlint"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            // It is there to set code, not to judge what it cannot mend.
            kotlin.suppressLintsFor(lint -> lint.setStep("ktlint"));
        });
    }

    private static String version(VersionCatalog libs, String name) {
        return libs.findVersion(name).orElseThrow().getRequiredVersion();
    }
}

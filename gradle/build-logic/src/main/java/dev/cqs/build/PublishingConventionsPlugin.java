package dev.cqs.build;

import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.provider.Provider;
import org.gradle.api.publish.PublishingExtension;
import org.gradle.api.publish.maven.MavenPublication;
import org.gradle.api.publish.maven.plugins.MavenPublishPlugin;
import org.gradle.plugins.signing.SigningExtension;
import org.gradle.plugins.signing.SigningPlugin;

/** What the pom of every published artifact says, and signatures where there is a key. */
public class PublishingConventionsPlugin implements Plugin<Project> {

    private static final String PROJECT_URL = "https://github.com/cqs-jvm/cqs";

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply(MavenPublishPlugin.class);
        project.getPluginManager().apply(SigningPlugin.class);

        PublishingExtension publishing = project.getExtensions().getByType(PublishingExtension.class);
        publishing
                .getPublications()
                .withType(MavenPublication.class)
                .configureEach(publication -> publication.pom(pom -> {
                    pom.getName().set(project.getName());
                    // The build script of the module sets the description after this plugin is applied.
                    pom.getDescription().set(project.provider(project::getDescription));
                    pom.getUrl().set(PROJECT_URL);
                    pom.licenses(licenses -> licenses.license(license -> {
                        license.getName().set("Apache-2.0");
                        license.getUrl().set("https://www.apache.org/licenses/LICENSE-2.0.txt");
                    }));
                    pom.developers(developers -> developers.developer(developer -> {
                        developer.getId().set("cqs");
                        developer.getName().set("The maintainers of cqs");
                        developer.getUrl().set(PROJECT_URL);
                    }));
                    pom.scm(scm -> {
                        scm.getConnection().set("scm:git:" + PROJECT_URL + ".git");
                        scm.getDeveloperConnection().set("scm:git:" + PROJECT_URL + ".git");
                        scm.getUrl().set(PROJECT_URL);
                    });
                }));

        // The variables that Maven's profile "sign" takes as well.
        Provider<String> key = project.getProviders().environmentVariable("MAVEN_GPG_KEY");
        if (key.isPresent()) {
            SigningExtension signing = project.getExtensions().getByType(SigningExtension.class);
            signing.useInMemoryPgpKeys(
                    key.get(),
                    project.getProviders()
                            .environmentVariable("MAVEN_GPG_PASSPHRASE")
                            .getOrNull());
            signing.sign(publishing.getPublications());
        }
    }
}

package dev.cqs.lincheck

import kotlin.reflect.KClass
import org.jetbrains.kotlinx.lincheck.CTestStructure
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario
import org.jetbrains.kotlinx.lincheck.execution.RandomExecutionGenerator
import org.jetbrains.lincheck.LincheckAssertionError
import org.jetbrains.lincheck.datastructures.CTestConfiguration
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions
import org.jetbrains.lincheck.datastructures.Options
import org.jetbrains.lincheck.datastructures.RandomProvider
import org.jetbrains.lincheck.datastructures.StressOptions
import org.jetbrains.lincheck.datastructures.forClasses
import org.junit.jupiter.api.assertThrows

internal const val THREADS = 3

/** The two ways in which Lincheck searches for executions that are not linearizable. */
enum class Strategy {
    /** Runs chosen interleavings of the threads, one step at a time. */
    MODEL_CHECKING,

    /** Runs the threads freely. */
    STRESS,

    ;

    /**
     * Verifies the operations in random scenarios, and in those that [more] adds.
     *
     * @param specification the sequential specification
     * @param obstructionFree whether an operation that runs alone must end
     */
    internal fun verify(
        operations: KClass<*>,
        specification: KClass<*>,
        obstructionFree: Boolean = false,
        scenarios: Int = 12,
        more: Options<*, *>.() -> Unit = {},
    ) = when (this) {
        MODEL_CHECKING -> modelChecking().checkObstructionFreedom(obstructionFree)
            .scenarios(scenarios, 300, specification, more).check(operations)

        STRESS -> StressOptions()
            .scenarios(scenarios, 1_000, specification, more).check(operations)
    }
}

/** Checks that model checking finds a defect in the operations. */
internal fun assertFound(
    operations: KClass<*>,
    specification: KClass<*>,
    scenarios: Int = 200,
    more: Options<*, *>.() -> Unit = {},
) {
    val options = modelChecking().minimizeFailedScenario(false).scenarios(scenarios, 2_000, specification, more)
    assertThrows<LincheckAssertionError> { options.check(operations) }
}

private fun <O : Options<O, *>> O.scenarios(
    iterations: Int,
    invocations: Int,
    specification: KClass<*>,
    more: Options<*, *>.() -> Unit,
): O = iterations(iterations)
    .invocationsPerIteration(invocations)
    .threads(THREADS)
    .actorsPerThread(3)
    .actorsBefore(0)
    .actorsAfter(0)
    .sequentialSpecification(specification.java)
    .apply(more)

/**
 * Keeps Lincheck from switching threads in code that only one thread uses, in the records of the tests, and in the spin
 * loop of a thread before it parks.
 */
private fun modelChecking() = ModelCheckingOptions()
    .addGuarantee(
        forClasses("kotlinx.coroutines.CancellableContinuationImpl")
            .methods("initCancellability", "getResult", "invokeOnCancellation").ignore(),
    )
    .addGuarantee(
        forClasses { it.startsWith("kotlinx.coroutines.Job") }
            .methods { it.startsWith("invokeOnCompletion") }.ignore(),
    )
    .addGuarantee(forClasses(Elements::class).allMethods().ignore())
    .addGuarantee(forClasses("dev.cqs.threads.ThreadWaiter").methods("stayAwake").ignore())

/**
 * Scenarios in which every cancellation is prompt; by default every second one is. For hand-offs: the cell decides
 * between the canceller and the counterpart, and if the counterpart wins, the coroutine is cancelled all the same after
 * the hand-off.
 */
class PromptCancellations(configuration: CTestConfiguration, structure: CTestStructure, random: RandomProvider) :
    RandomExecutionGenerator(configuration, structure, random) {
    override fun nextExecution(): ExecutionScenario {
        val scenario = super.nextExecution()
        val promptly = scenario.parallelExecution.map { actors ->
            actors.map { if (it.cancelOnSuspension) it.copy(promptCancellation = true) else it }
        }
        return ExecutionScenario(
            scenario.initExecution,
            promptly,
            scenario.postExecution,
            scenario.validationFunction,
        )
    }
}

package dev.cqs.benchmarks;

import java.io.File;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;

/** Runs a fork on one processor. To JMH it is a profiler, because those may prefix the command that starts a fork. */
@SuppressWarnings("rawtypes") // JMH's interface has raw types
public final class Pinned implements ExternalProfiler {
    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return List.of("taskset", "-c", "0");
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        return List.of();
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {}

    @Override
    public Collection<? extends Result> afterTrial(BenchmarkResult result, long pid, File out, File err) {
        return List.of();
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public String getDescription() {
        return "runs the fork on one processor";
    }
}

package io.weir.starter;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells a wrong property as Spring Boot tells other reasons why an application does not start. Stateless. */
final class WrongSettingAnalyzer extends AbstractFailureAnalyzer<WrongSettingException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, WrongSettingException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}

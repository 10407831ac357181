import type { ExecutionPlan, PlanStep } from 'forthright/agent';
import { tone } from './tone.ts';

interface Props {
  readonly plan: ExecutionPlan;
  onDecide(verdict: 'granted' | 'denied'): void;
}

/** A turn's plan, which unfolds to its steps; and what was corrected in the model's words. */
export function PlanView({ plan, onDecide }: Props) {
  const isOpen = plan.steps.some(({ status }) => status === 'approval_required');
  return (
    <div class="plan">
      <details>
        <summary>
          {plan.steps.length === 1 ? '1 step' : `${plan.steps.length} steps`}{' '}
          {plan.steps.map(({ id, status }) => (
            <span key={id} class={`badge ${tone(status)}`}>
              {status.replaceAll('_', ' ')}
            </span>
          ))}
        </summary>
        <ol>
          {plan.steps.map((step) => (
            <StepView key={step.id} step={step} />
          ))}
        </ol>
      </details>
      {isOpen && (
        <p class="decision">
          This waits for a person:{' '}
          <button class="button" type="button" onClick={() => onDecide('granted')}>
            Approve
          </button>{' '}
          <button class="button" type="button" onClick={() => onDecide('denied')}>
            Deny
          </button>
        </p>
      )}
      {plan.findings.map(({ sentence, reason }) => (
        <p class="corrected" key={sentence}>
          The model wrote <del>{sentence}</del> It was replaced before the customer read it:{' '}
          {reason}
        </p>
      ))}
    </div>
  );
}

function StepView({ step }: { readonly step: PlanStep }) {
  return (
    <li>
      <p>
        <span class={`badge ${tone(step.status)}`}>{step.status.replaceAll('_', ' ')}</span>{' '}
        <code>
          {step.tool} {step.arguments}
        </code>
      </p>
      {'result' in step && <ResultView result={step.result} />}
    </li>
  );
}

function ResultView({
  result,
}: {
  readonly result: Extract<PlanStep, { result: object }>['result'];
}) {
  const { code, summary, nextActions, warnings, outputs } = result;
  return (
    <dl>
      <dt>Code</dt>
      <dd>
        <code>{code}</code>
      </dd>
      <dt>Summary</dt>
      <dd>{summary}</dd>
      {'clarification' in result && result.clarification !== undefined && (
        <>
          <dt>Question for the customer</dt>
          <dd>{result.clarification.question}</dd>
        </>
      )}
      <Listed name="Next actions" texts={nextActions} />
      <Listed name="Warnings" texts={warnings.map(({ message }) => message)} />
      {Object.keys(outputs).length > 0 && (
        <>
          <dt>Outputs</dt>
          <dd>
            <code>{JSON.stringify(outputs)}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

function Listed({ name, texts }: { readonly name: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      {texts.map((text) => (
        <dd key={text}>{text}</dd>
      ))}
    </>
  );
}

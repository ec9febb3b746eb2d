/** Deviations of the bank from its own interface, and its reliable parts. */
import type { Report } from '../../model.js';
import { ToExchange, ToRule, useParties } from '../links.js';
import { Facts, filterMarks, Name, Nothing, Section, Severity } from '../parts.js';
import { counted, visible } from '../text.js';

export function BankSection({ deviations }: { deviations: Report['bankDeviations'] }) {
  const { aspsp } = useParties();
  return (
    <Section
      id="bank-deviations"
      title={`The ${aspsp}’s own deviations`}
      lead={`Where the ${aspsp}’s answers deviate from the bank’s interface, and what a client may still rely on.`}
    >
      {deviations.length === 0 ? (
        <Nothing>The {aspsp} complied with every rule that could be observed.</Nothing>
      ) : (
        deviations.map((one) => <Deviation key={`${one.rule} ${one.severity}`} deviation={one} />)
      )}
    </Section>
  );
}

function Deviation({ deviation }: { deviation: Report['bankDeviations'][number] }) {
  const { rule, severity, statement, count, operations, sources, seen, rely, exchanges } = deviation;
  return (
    <article class="deviation" data-f={filterMarks([{ severity, judges: 'aspsp' }])}>
      <h3>
        <ToRule rule={rule}>{statement}</ToRule>
      </h3>
      <p class="tags">
        <Severity severity={severity} />
        <span>{counted(count, 'finding')}</span>
        <span>answered by {sources.join(', ') || 'nobody known'}</span>
        <Name>{rule}</Name>
      </p>
      <Facts
        facts={[
          ['Rely on', <strong key="rely">{rely}</strong>],
          ['Seen instead', seen.map(visible).join('; ') || 'nothing that can be shown'],
          ['Operations', operations.join(', ') || 'none that is known'],
          [
            'Exchanges',
            exchanges.map((id, i) => (
              <span key={id}>
                {i > 0 ? ', ' : ''}
                <ToExchange id={id} />
              </span>
            )),
          ],
        ]}
        wide
      />
    </article>
  );
}

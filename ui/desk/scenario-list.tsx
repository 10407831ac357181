import type { Offer } from './room-port.ts';

interface Props {
  readonly groups: Offer['groups'];
  readonly playing: string | null;
  onPlay(scenario: string | null): void;
}

/** The scenarios to click, by what they are about. */
export function ScenarioList({ groups, playing, onPlay }: Props) {
  return (
    <nav aria-label="Scenarios">
      <button type="button" aria-current={playing === null} onClick={() => onPlay(null)}>
        Talk to them yourself
      </button>
      {groups.map((group) => (
        <details key={group.title} open>
          <summary>{group.title}</summary>
          <ul>
            {group.scenarios.map(({ name, title }) => (
              <li key={name}>
                <button
                  type="button"
                  data-scenario={name}
                  aria-current={playing === name}
                  onClick={() => onPlay(name)}
                >
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

import styles from './set-up.module.css'

const STEPS = ['Administrator', 'First node', 'First server'] as const

/** The progress of the set-up. */
export function Steps({ now }: { now: 0 | 1 | 2 }) {
  return (
    <ol className={styles.steps} aria-label="Set-up">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index === now ? 'step' : undefined}
          data-done={index < now || undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  )
}

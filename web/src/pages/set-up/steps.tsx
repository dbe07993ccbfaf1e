import styles from './set-up.module.css'
import { t } from './words.ts'

/** The progress of the set-up. */
export function Steps({ now }: { now: 0 | 1 | 2 }) {
  const steps = [t.administrator, t.firstNode, t.firstServer]
  return (
    <ol className={styles.steps} aria-label={t.steps}>
      {steps.map((name, index) => (
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

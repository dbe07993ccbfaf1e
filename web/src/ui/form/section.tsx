import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface FormSectionProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

/**
 * A section of a form: title and description on the left, fields on the right; stacked below 1024
 * pixels.
 */
export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{title}</h2>
        {description === undefined ? null : <p>{description}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  )
}

/** The visible label of a group of choices, which has its own name for screen readers. */
export const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <p className={styles.label} aria-hidden>
      {label}
    </p>
    {children}
  </div>
)

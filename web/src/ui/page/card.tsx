import { Fragment, type ReactNode, useId } from 'react'
import styles from './card.module.css'

interface CardProps {
  title?: string
  actions?: ReactNode
  /** No padding (tables, lists). */
  flush?: boolean
  danger?: boolean
  children: ReactNode
}

/** A bordered section of a page with its heading. */
export function Card({ title, actions, flush, danger, children }: CardProps) {
  const id = useId()
  return (
    <section
      className={`${styles.card} lodge-card ${danger ? styles.danger : ''}`}
      {...(title === undefined ? {} : { 'aria-labelledby': id })}
    >
      {title === undefined ? null : (
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {actions === undefined ? null : <div>{actions}</div>}
        </div>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  )
}

/** A list of names and values. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.list}>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** One large figure with its name. */
export function Figure({
  value,
  name,
  note,
}: {
  value: ReactNode
  name: string
  note?: ReactNode
}) {
  return (
    <div className={styles.number}>
      <span>{name}</span>
      <b>{value}</b>
      {note === undefined ? null : <small>{note}</small>}
    </div>
  )
}

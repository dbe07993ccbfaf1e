import styles from './avatar.module.css'

/** The initials of a name, or of the part of an address before the @. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*$/, '')
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
  const [first = '?', ...rest] = words
  const last = rest.at(-1)
  return [...(last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]])]
    .join('')
    .toUpperCase()
}

/** Stands for a person; the name is beside it or on its button. */
export function Avatar({ name, large }: { name: string; large?: boolean }) {
  return (
    <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}

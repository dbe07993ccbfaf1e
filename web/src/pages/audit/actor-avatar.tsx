import styles from './audit.module.css'

/** Up to two letters of a name, or of the part of an address before the `@`. */
export function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter((word) => word !== '')
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const letters = [first, last].flatMap((word) => (word ? [[...word][0] ?? ''] : []))
  return letters.join('').toUpperCase() || '?'
}

/** A person by their initials; the name stands beside it. */
export const ActorAvatar = ({ name }: { name: string }) => (
  <span className={styles.avatar} aria-hidden>
    {initialsOf(name)}
  </span>
)

import styles from './art.module.css'
import type { ArtName } from './art-names.ts'
import { PICTURES } from './pictures.ts'

/** An illustration; the sentence beside it says what it means. */
export default function Art({ name }: { name: ArtName }) {
  const { far, shapes, lines, planned, lit } = PICTURES[name]
  return (
    <svg className={styles.art} viewBox="0 0 160 88" aria-hidden="true">
      <path className={styles.far} d={far} />
      <path className={styles.ground} d="M0 80h160" />
      {shapes.map(({ d, roof }) => (
        <path key={d} className={roof ? styles.roof : styles.near} d={d} />
      ))}
      <path className={styles.lines} d={lines} />
      <path className={styles.planned} d={planned} />
      <path className={styles.lit} d={lit} />
    </svg>
  )
}

import { writeFilter } from '@lodge/shared/lists/filter.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import styles from './server-tags.module.css'
import { t } from './words.ts'

/** The tags of a server; each links to the servers that have it. */
export function ServerTags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className={styles.tags} aria-label={t.tags}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={paths.servers} search={{ q: writeFilter([{ field: 'tag', values: [tag] }]) }}>
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}

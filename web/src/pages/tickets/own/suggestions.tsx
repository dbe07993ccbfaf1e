import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Note } from '../../../ui/notices/note.tsx'
import styles from './own.module.css'
import { t } from './words.ts'

const PAUSE_MS = 300
const LEAST = 4
const SHOWN = 3

/** Help articles that may answer the question, searched after typing pauses. */
export function Suggestions({ words }: { words: string }) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  const found = useQuery({
    ...q('GET /api/support/articles', { query: { q: settled, limit: SHOWN } }),
    enabled: settled.length >= LEAST,
  })
  const articles = settled.length < LEAST ? [] : (found.data?.items ?? [])
  return (
    <div aria-live="polite" className={styles.suggested}>
      {articles.length === 0 ? null : (
        <Note tone="info" title={t.articles}>
          <ul className={styles.articles}>
            {articles.map(({ slug, title }) => (
              <li key={slug}>
                <Link to={paths.helpArticle} params={{ slug }} target="_blank">
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  )
}

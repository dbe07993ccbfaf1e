import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { Text } from '../../../ui/page/layout.tsx'
import { Prose } from '../help/prose.tsx'
import { t } from '../words.ts'
import styles from './article-form.module.css'

const PAUSE_MS = 300

/** The text as readers will see it, updated after typing pauses. */
export function Preview({ bodyMarkdown }: { bodyMarkdown: string }) {
  const [settled, setSettled] = useState(bodyMarkdown)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(bodyMarkdown), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [bodyMarkdown])
  const preview = useQuery({
    queryKey: ['POST /api/support/articles/preview', settled],
    queryFn: () => api('POST /api/support/articles/preview', { body: { bodyMarkdown: settled } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <section className={styles.preview} aria-label={t.preview}>
      <h2>{t.preview}</h2>
      <div className={styles.paper}>
        {preview.data && settled.trim() !== '' ? (
          <Prose html={preview.data.html} />
        ) : (
          <Text muted>{t.noPreview}</Text>
        )}
      </div>
    </section>
  )
}

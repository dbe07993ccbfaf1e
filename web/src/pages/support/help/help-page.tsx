import type { ArticleSummary } from '@lodge/shared/support/articles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { paths } from '../../../paths.ts'
import { given } from '../../../routes/search.ts'
import { useMaybeMe } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { t } from '../words.ts'
import { helpQuery, useReader } from './articles-query.ts'
import styles from './help.module.css'
import { HelpFrame } from './help-frame.tsx'
import { useCountedMiss } from './use-counted.ts'

/** Articles by section, or the matches for a search. */
export default function HelpPage() {
  const { q: searched = '' } = useSearch({ from: '/help' })
  const navigate = useNavigate({ from: '/help' })
  const [typed, setTyped] = useState(searched)
  const words = useDeferredValue(typed.trim())
  const found = useQuery({
    ...helpQuery(useReader(), words),
    placeholderData: (old: ArticleSummary[] | undefined) => old,
  })
  const asks = useMaybeMe()?.role === 'customer'
  useCountedMiss(words, !found.isPlaceholderData && found.data?.length === 0)
  return (
    <HelpFrame title={t.help}>
      <TextField
        label={t.searchHelp}
        type="search"
        width="fill"
        autoComplete="off"
        placeholder={t.searchExample}
        value={typed}
        onChange={(next) => {
          setTyped(next)
          void navigate({ search: given({ q: next.trim() || undefined }), replace: true })
        }}
      />
      <Loaded query={found} lines={8}>
        {(articles) =>
          articles.length > 0 ? (
            words === '' ? (
              <Sections articles={articles} />
            ) : (
              <section className={styles.section} aria-live="polite">
                <Text small muted>
                  {t.matches({ count: articles.length, words })}
                </Text>
                <Entries articles={articles} />
              </section>
            )
          ) : words === '' ? (
            <Empty title={t.nothingYet} art="mail">
              {t.nothingYetText}
            </Empty>
          ) : (
            <Empty
              title={t.noneFound({ words })}
              action={
                asks ? <LinkButton to={paths.newTicket}>{t.askSupport}</LinkButton> : undefined
              }
            >
              {t.noneFoundText}
            </Empty>
          )
        }
      </Loaded>
    </HelpFrame>
  )
}

interface ListProps {
  articles: readonly ArticleSummary[]
}

function Sections({ articles }: ListProps) {
  const sections = [...Map.groupBy(articles, ({ section }) => section ?? t.general)]
  return sections.map(([name, same]) => (
    <section key={name} className={styles.section}>
      {sections.length > 1 ? <h2>{name}</h2> : null}
      <Entries articles={same} />
    </section>
  ))
}

const Entries = ({ articles }: ListProps) =>
  articles.map(({ slug, title, excerpt }) => (
    <Link key={slug} to={paths.helpArticle} params={{ slug }} className={styles.entry}>
      <strong>{title}</strong>
      <span>{excerpt}</span>
    </Link>
  ))

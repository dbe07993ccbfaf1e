import type { Article } from '@lodge/shared/support/articles.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import ThumbsDown from 'lucide-react/icons/thumbs-down'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { spokenLanguage } from '../../../session/language.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { Row, Text } from '../../../ui/page/layout.tsx'
import { t } from '../words.ts'
import { articleQuery, useReader } from './articles-query.ts'
import styles from './help.module.css'
import { HelpFrame } from './help-frame.tsx'
import { Prose } from './prose.tsx'
import { useCountedRead } from './use-counted.ts'

/** One article of the help center. */
export default function ArticlePage() {
  const { slug } = useParams({ from: '/help/$slug' })
  const { locale } = useSearch({ from: '/help/$slug' })
  const reader = useReader()
  const query = articleQuery(reader, slug, locale)
  const article = useQuery(query)
  const all = <Link to={paths.helpCenter}>{t.allArticles}</Link>
  const isMissing = article.error !== null
  useCountedRead(slug, article.data?.locale)
  return (
    <HelpFrame title={article.data?.title ?? (isMissing ? t.noSuchArticle : t.help)} above={all}>
      {isMissing ? (
        <Text muted>{t.noSuchArticleText}</Text>
      ) : (
        <Loaded query={article} lines={10}>
          {(shown) => (
            <>
              <Languages article={shown} />
              <Prose html={shown.html} />
              <div className={styles.foot}>
                {reader === 'member' ? <Vote article={shown} queryKey={query.queryKey} /> : null}
                <Text small muted>
                  {t.updated} <Ago at={shown.updatedAt} />
                </Text>
                {shown.source === null ? null : (
                  <Link to={paths.article} params={{ slug }} search={{ locale: shown.locale }}>
                    {t.edit}
                  </Link>
                )}
              </div>
            </>
          )}
        </Loaded>
      )}
    </HelpFrame>
  )
}

function Languages({ article }: { article: Article }) {
  if (article.locales.length < 2) return null
  const names = new Intl.DisplayNames(spokenLanguage(), { type: 'language' })
  return (
    <Row gap={12}>
      {article.locales.map((locale) =>
        locale === article.locale ? (
          <Text key={locale} small>
            {names.of(locale)}
          </Text>
        ) : (
          <Link key={locale} to="." search={{ locale }}>
            {names.of(locale)}
          </Link>
        ),
      )}
    </Row>
  )
}

interface VoteProps {
  article: Article
  queryKey: readonly unknown[]
}

function Vote({ article, queryKey }: VoteProps) {
  const { slug, locale, vote } = article
  const client = useQueryClient()
  const cast = useMutation({
    mutationFn: (helpful: boolean | null) =>
      api('POST /api/support/articles/{slug}/vote', {
        params: { slug },
        query: { locale },
        body: { helpful },
      }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
    onError: (error) => toastRefused(t.notCounted, error),
  })
  const button = (helpful: boolean) => {
    const chosen = vote === (helpful ? 'helpful' : 'unhelpful')
    return (
      <Button
        size="small"
        aria-pressed={chosen}
        icon={helpful ? <ThumbsUp /> : <ThumbsDown />}
        onClick={() => cast.mutate(chosen ? null : helpful)}
      >
        {helpful ? t.yes : t.no}
      </Button>
    )
  }
  return (
    <Row gap={8}>
      <Text>{t.didItHelp}</Text>
      {button(true)}
      {button(false)}
      {vote === null ? null : (
        <Text small muted>
          {t.thanks}
        </Text>
      )}
    </Row>
  )
}

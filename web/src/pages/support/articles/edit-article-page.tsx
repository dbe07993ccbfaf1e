import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { t } from '../words.ts'
import { ArticleActions } from './article-actions.tsx'
import { ArticleForm } from './article-form.tsx'

/** One article with its text, its preview and its history. */
export default function EditArticlePage() {
  const { slug } = useParams({ from: '/in/admin/desk/articles/$slug' })
  const { locale } = useSearch({ from: '/in/admin/desk/articles/$slug' })
  const article = useQuery(
    q('GET /api/support/articles/{slug}', { params: { slug }, query: { locale } }),
  )
  const navigate = useNavigate()
  /** An earlier text to restore. */
  const [earlier, setEarlier] = useState<string>()
  return (
    <Page
      title={article.data ? t.editing(article.data) : t.articles}
      crumbs={<Link to={paths.articles}>{t.articles}</Link>}
      actions={
        article.data && (
          <Row>
            <LinkButton to={paths.helpArticle} params={{ slug }} search={{ locale }}>
              {t.view}
            </LinkButton>
            <ArticleActions
              article={article.data}
              onUse={setEarlier}
              onGone={() => void navigate({ to: paths.articles })}
            />
          </Row>
        )
      }
    >
      <Loaded query={article} lines={10}>
        {(shown) => (
          <ArticleForm
            article={shown}
            earlier={earlier}
            onDone={({ title }) => toastDone(t.saved, title)}
          />
        )}
      </Loaded>
    </Page>
  )
}

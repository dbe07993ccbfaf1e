import { Link, useNavigate } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { t } from '../words.ts'
import { ArticleForm } from './article-form.tsx'

export default function NewArticlePage() {
  const navigate = useNavigate()
  return (
    <Page title={t.newArticle} crumbs={<Link to={paths.articles}>{t.articles}</Link>}>
      <ArticleForm
        onDone={({ slug, locale, title }) => {
          toastDone(t.created, title)
          void navigate({ to: paths.article, params: { slug }, search: { locale } })
        }}
      />
    </Page>
  )
}

import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useMemo } from 'react'
import { paths } from '../../../paths.ts'
import { qAll } from '../../../query.ts'
import { useList } from '../../../session/use-list.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { ShortList } from '../../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../../ui/lists/use-view-address.ts'
import { Empty } from '../../../ui/notices/states.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { t } from '../words.ts'
import { articleColumns, articleTools } from './article-list.tsx'

/** Every help article, including drafts. */
export default function ArticlesPage() {
  const articles = useQuery(qAll('GET /api/support/articles'))
  const list = useList('articles', useMemo(articleColumns, []))
  const tools = useMemo(articleTools, [])
  const view = useViewAddress()
  const create = (
    <LinkButton to={paths.newArticle} kind="primary" icon={<Plus />}>
      {t.newArticle}
    </LinkButton>
  )
  return (
    <Page title={t.articles} lead={t.lead} actions={create}>
      <ShortList
        label={t.articles}
        searchLabel={t.searchArticles}
        file="articles.csv"
        query={articles}
        keyOf={({ slug }) => slug}
        list={list}
        tools={tools}
        {...view}
        noMatch={t.noMatch}
        empty={
          <Empty title={t.none} art="mail">
            {t.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

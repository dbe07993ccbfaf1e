import type { HelpUse } from '@lodge/shared/support/reports.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { ExportLink } from '../../../ui/data/list-tools.tsx'
import { numberText } from '../../../ui/data/numbers.ts'
import { Table } from '../../../ui/data/table.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { t } from './words.ts'

type Article = HelpUse['articles'][number]
type Missed = HelpUse['missed'][number]

interface CardProps {
  help: HelpUse
  /** The URL of the complete CSV. */
  href: string
}

const number = (count: number): string => numberText(count)

/** The most read articles, and whether they helped. */
export const ReadArticles = ({ help, href }: CardProps) => (
  <Card title={t.articles} flush actions={<ExportLink href={href} file="support-articles.csv" />}>
    <Table
      label={t.articles}
      rows={help.articles}
      columns={[
        {
          header: t.article,
          role: 'title',
          cell: ({ slug, title }: Article) => (
            <Link to={paths.helpArticle} params={{ slug }}>
              {title}
            </Link>
          ),
        },
        { header: t.reads, right: true, cell: ({ reads }: Article) => number(reads) },
        {
          header: t.helped,
          right: true,
          cell: ({ helpful, unhelpful }: Article) =>
            helpful + unhelpful === 0
              ? t.none
              : t.ratio({ met: number(helpful), all: number(helpful + unhelpful) }),
        },
      ]}
      keyOf={({ slug }) => slug}
      empty={<Empty title={t.nothingRead}>{t.nothingReadText}</Empty>}
    />
  </Card>
)

/** Searches of the help center without results. */
export const MissedSearches = ({ help, href }: CardProps) => (
  <Card title={t.missed} flush actions={<ExportLink href={href} file="support-searches.csv" />}>
    <Table
      label={t.missed}
      rows={help.missed}
      columns={[
        { header: t.searchedFor, role: 'title', cell: ({ words }: Missed) => words },
        { header: t.searches, right: true, cell: ({ searches }: Missed) => number(searches) },
        { header: t.onDays, right: true, cell: ({ days }: Missed) => number(days) },
      ]}
      keyOf={({ words }) => words}
      empty={<Empty title={t.nothingMissed}>{t.nothingMissedText}</Empty>}
    />
  </Card>
)

import type { ArticleSummary } from '@lodge/shared/support/articles.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data/column.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import type { RowTools } from '../../../ui/lists/short-list.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { t } from '../words.ts'
import { choicesOf, readerWords, statusWords } from './article-words.ts'

const votesOf = ({ helpful, unhelpful }: ArticleSummary): number => helpful - unhelpful

/** Every column that the list of articles offers. */
export const articleColumns = (): readonly Column<ArticleSummary>[] => [
  {
    id: 'title',
    header: t.title,
    role: 'title',
    sort: 'title',
    cell: ({ slug, locale, title, status }) => (
      <Row gap={6}>
        <Link to={paths.article} params={{ slug }} search={{ locale }} data-opens>
          {title}
        </Link>
        {status === 'published' ? null : (
          <Pill tone={status === 'draft' ? 'info' : 'idle'}>{statusWords()[status]}</Pill>
        )}
      </Row>
    ),
  },
  { id: 'section', header: t.section, sort: 'section', cell: ({ section }) => section ?? '–' },
  { id: 'readers', header: t.visibility, cell: ({ visibility }) => readerWords()[visibility] },
  { id: 'locale', header: t.locale, optional: true, cell: ({ locale }) => locale },
  {
    id: 'votes',
    header: t.votes,
    sort: 'votes',
    highestFirst: true,
    right: true,
    tight: true,
    cell: ({ helpful, unhelpful }) =>
      helpful + unhelpful === 0 ? '–' : t.votesOf({ helpful, all: helpful + unhelpful }),
  },
  {
    id: 'changed',
    header: t.changed,
    sort: 'changed',
    highestFirst: true,
    right: true,
    tight: true,
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
]

/** How articles are filtered, sorted and exported. */
export const articleTools = (): RowTools<ArticleSummary> => ({
  fields: [
    {
      name: 'status',
      label: t.status,
      chips: true,
      values: choicesOf(statusWords()),
      of: ({ status }) => status,
    },
    {
      name: 'readers',
      label: t.visibility,
      values: choicesOf(readerWords()),
      of: ({ visibility }) => visibility,
    },
    {
      name: 'section',
      label: t.section,
      example: 'section:back*',
      of: ({ section }) => section ?? '',
    },
  ],
  textOf: ({ title, slug, excerpt }) => `${title}\n${slug}\n${excerpt}`,
  sortKeys: {
    title: ({ title }) => title,
    section: ({ section }) => section ?? '',
    votes: votesOf,
    changed: ({ updatedAt }) => updatedAt,
  },
  csv: [
    ['slug', ({ slug }) => slug],
    ['locale', ({ locale }) => locale],
    ['title', ({ title }) => title],
    ['section', ({ section }) => section],
    ['status', ({ status }) => status],
    ['visibility', ({ visibility }) => visibility],
    ['helpful', ({ helpful }) => helpful],
    ['unhelpful', ({ unhelpful }) => unhelpful],
    ['updated_at', ({ updatedAt }) => updatedAt],
  ],
})

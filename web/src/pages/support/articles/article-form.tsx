import { type Article, WriteArticle } from '@lodge/shared/support/articles.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { z } from 'zod'
import { api } from '../../../api.ts'
import { qAll } from '../../../query.ts'
import { Segments } from '../../../ui/choices/segments.tsx'
import { SuggestField } from '../../../ui/choices/suggest-field.tsx'
import { TagsField } from '../../../ui/choices/tags-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { FormSection, Labelled } from '../../../ui/form/section.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { t } from '../words.ts'
import styles from './article-form.module.css'
import { choicesOf, readerWords, statusWords } from './article-words.ts'
import { Preview } from './preview.tsx'

const { title, slug, locale, visibility, status, bodyMarkdown } = WriteArticle.shape
const Checked = () =>
  z.object({
    title,
    slug,
    locale,
    visibility,
    status,
    bodyMarkdown,
    section: z.string().trim().max(60),
    keywords: z.array(z.string().trim().min(1).max(60)).max(30),
    position: z.string().regex(/^\d{1,5}$/, t.positionWrong),
  })

interface Values {
  title: string
  slug: string
  locale: string
  section: string
  visibility: Article['visibility']
  status: Article['status']
  keywords: readonly string[]
  position: string
  bodyMarkdown: string
}

const valuesOf = (article: Article | undefined): Values => ({
  title: article?.title ?? '',
  slug: article?.slug ?? '',
  locale: article?.locale ?? 'en',
  section: article?.section ?? '',
  visibility: article?.visibility ?? 'customers',
  status: article?.status ?? 'draft',
  keywords: article?.source?.keywords ?? [],
  position: String(article?.position ?? 0),
  bodyMarkdown: article?.source?.bodyMarkdown ?? '',
})

const labels = (): Readonly<Record<keyof Values, string>> => ({
  title: t.title,
  slug: t.slug,
  locale: t.locale,
  section: t.section,
  visibility: t.visibility,
  status: t.status,
  keywords: t.keywords,
  position: t.position,
  bodyMarkdown: t.text,
})

/** The slug that a title suggests. */
const slugFrom = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')
    .slice(0, 80)

interface ArticleFormProps {
  article?: Article
  /** An earlier text, taken over when it changes. */
  earlier?: string | undefined
  onDone: (article: Article) => void
}

export const ArticleForm = (props: ArticleFormProps) => (
  <SaveForm
    label={props.article?.title ?? t.newArticle}
    submitText={props.article ? t.save : t.create}
  >
    <ArticleFields {...props} />
  </SaveForm>
)

function ArticleFields({ article, earlier, onDone }: ArticleFormProps) {
  const initial = valuesOf(article)
  const sections = useSections()
  const form = useForm<Values, Article>({
    initial,
    schema: Checked(),
    submit: ({ section, position, keywords, ...values }) =>
      api('POST /api/support/articles', {
        body: WriteArticle.parse({
          ...values,
          keywords: [...keywords],
          section: section.trim() === '' ? null : section,
          position: Number(position),
          revision: article?.source?.revision ?? 0,
        }),
      }),
    refreshes: ['GET /api/support/articles', 'GET /api/support/articles/{slug}'],
    done: onDone,
  })
  const { values, set } = form
  useSaved(form, initial)
  useSavePart(form, {
    labelOf: (name) => labels()[name],
    blocked:
      values.title.trim() === ''
        ? t.titleMissing
        : values.slug === ''
          ? t.slugMissing
          : values.bodyMarkdown.trim() === ''
            ? t.textMissing
            : undefined,
  })
  useEffect(() => {
    if (earlier !== undefined) set('bodyMarkdown', earlier)
  }, [earlier])
  const title = form.field('title')
  return (
    <>
      <FormSection title={t.about} description={t.aboutHelp}>
        <TextField
          label={t.title}
          autoComplete="off"
          {...title}
          onChange={(next) => {
            // The slug follows the title until somebody edits it.
            if (!article && values.slug === slugFrom(values.title)) set('slug', slugFrom(next))
            title.onChange(next)
          }}
        />
        <TextField
          label={t.slug}
          autoComplete="off"
          disabled={article !== undefined}
          description={t.slugHelp({ address: `/help/${values.slug}` })}
          {...form.field('slug')}
        />
        <SuggestField
          label={t.section}
          description={t.sectionHelp}
          suggestions={sections}
          {...form.field('section')}
        />
        <TagsField
          label={t.keywords}
          description={t.keywordsHelp}
          suggestions={[]}
          most={30}
          {...form.field('keywords')}
        />
      </FormSection>
      <FormSection title={t.readers} description={t.readersHelp}>
        <Labelled label={t.status}>
          <Segments
            label={t.status}
            choices={choicesOf(statusWords())}
            value={values.status}
            onChange={(next) => set('status', next)}
          />
        </Labelled>
        <Labelled label={t.visibility}>
          <Segments
            label={t.visibility}
            choices={choicesOf(readerWords())}
            value={values.visibility}
            onChange={(next) => set('visibility', next)}
          />
        </Labelled>
        <TextField
          label={t.locale}
          width="number"
          autoComplete="off"
          disabled={article !== undefined}
          description={t.localeHelp}
          {...form.field('locale')}
        />
        <TextField
          label={t.position}
          width="number"
          description={t.positionHelp}
          {...form.field('position')}
        />
      </FormSection>
      <div className={styles.split}>
        <AreaField
          label={t.text}
          rows={22}
          mono
          description={t.textHelp}
          {...form.field('bodyMarkdown')}
        />
        <Preview bodyMarkdown={values.bodyMarkdown} />
      </div>
    </>
  )
}

/** The sections of other articles. */
function useSections(): string[] {
  const articles = useQuery(qAll('GET /api/support/articles'))
  const named = articles.data?.items.flatMap(({ section }) => section ?? []) ?? []
  return [...new Set(named)].sort()
}

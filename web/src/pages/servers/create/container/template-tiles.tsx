import { useState } from 'react'
import { Segments } from '../../../../ui/choices/segments.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { SearchBox, Toolbar } from '../../../../ui/data/toolbar.tsx'
import { TemplateIcon } from '../../../../ui/icons/template-icon.tsx'
import { NoResults } from '../../../../ui/notices/states.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { categoriesOf, grouped } from '../../../templates/categories.ts'
import styles from '../new-server.module.css'
import { t } from '../words.ts'

interface Offered {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly icon: string | null
  readonly tags: readonly string[]
  readonly featured: boolean
}

interface TemplateTilesProps<T> {
  templates: readonly T[]
  chosen: string
  onChoose: (templateId: string) => void
}

/** How many fit without a search. */
const FEW = 6

/** Chooses a template, with a search and categories if there are many. */
export function TemplateTiles<T extends Offered>({
  templates,
  chosen,
  onChoose,
}: TemplateTilesProps<T>) {
  const [text, setText] = useState('')
  const [category, setCategory] = useState('')
  const categories = categoriesOf(templates)
  const found = grouped(templates, { text: text.trim(), category }).flatMap(({ items }) => items)
  const template = templates.find(({ id }) => id === chosen)
  return (
    <Column gap={12}>
      {templates.length > FEW ? (
        <Toolbar>
          <SearchBox label={t.searchTemplates} value={text} onChange={setText} />
          {categories.length > 1 ? (
            <Segments
              label={t.category}
              value={category}
              choices={[{ value: '', label: t.all }, ...categories]}
              onChange={setCategory}
            />
          ) : null}
        </Toolbar>
      ) : null}
      {found.length === 0 ? (
        <NoResults
          title={t.noMatch({ filter: text.trim() })}
          onClear={() => {
            setText('')
            setCategory('')
          }}
        />
      ) : (
        <Tiles
          legend={t.template}
          items={found}
          keyOf={({ id }) => id}
          chosen={chosen}
          onChoose={onChoose}
        >
          {({ name, icon }) => (
            <span className={styles.named}>
              <TemplateIcon icon={icon} name={name} />
              <b>{name}</b>
            </span>
          )}
        </Tiles>
      )}
      {template === undefined ? null : (
        <Text small muted>
          {template.description || t.noDescription}
        </Text>
      )}
    </Column>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { formatMib } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { SearchBox, Toolbar } from '../../ui/data/toolbar.tsx'
import { TemplateIcon } from '../../ui/icons/template-icon.tsx'
import { NoResults } from '../../ui/notices/states.tsx'
import type { ListedTemplate } from './all-templates.ts'
import { categoriesOf, grouped } from './categories.ts'
import styles from './templates.module.css'
import { t } from './words.ts'

/** Templates as cards, by category, with a search over names, descriptions and tags. */
export function Gallery({ templates }: { templates: readonly ListedTemplate[] }) {
  const [text, setText] = useState('')
  const [category, setCategory] = useState('')
  const groups = grouped(templates, { text: text.trim(), category })
  return (
    <div className={styles.gallery}>
      <Toolbar>
        <SearchBox label={t.searchTemplates} value={text} onChange={setText} />
        <Segments
          label={t.category}
          value={category}
          choices={[{ value: '', label: t.allCategories }, ...categoriesOf(templates)]}
          onChange={setCategory}
        />
      </Toolbar>
      {groups.length === 0 ? (
        <NoResults
          title={t.noMatch({ filter: text.trim() })}
          onClear={() => {
            setText('')
            setCategory('')
          }}
        />
      ) : (
        groups.map(({ value, label, items }) => (
          <section key={value} aria-labelledby={`category-${value}`}>
            <h2 id={`category-${value}`}>{label}</h2>
            <ul className={styles.cards}>
              {items.map((template) => (
                <li key={template.id}>
                  <TemplateCard template={template} />
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </div>
  )
}

function TemplateCard({ template }: { template: ListedTemplate }) {
  const { servers, outdatedServers, recommended, origin, customerVisible } = template
  const facts = [
    formatMib(recommended.memoryMb),
    servers === 0 ? undefined : t.serverCount({ count: servers }),
    origin === 'custom' ? t.custom : undefined,
    customerVisible ? t.forCustomers : undefined,
  ]
  return (
    <article className={styles.card}>
      <TemplateIcon icon={template.icon} name={template.name} />
      <div>
        <h3>
          <Link to={paths.template} params={{ id: template.id }}>
            {template.name}
          </Link>
        </h3>
        <p className={styles.about}>{template.description || t.noDescription}</p>
        <p className={styles.facts}>
          <span>{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
          {outdatedServers > 0 ? (
            <Pill tone="warn">{t.outdatedCount({ count: outdatedServers })}</Pill>
          ) : null}
        </p>
      </div>
    </article>
  )
}

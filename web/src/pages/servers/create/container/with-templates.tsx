import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '../../../../paths.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { allTemplates } from '../../../templates/all-templates.ts'
import { t } from '../words.ts'
import type { Template } from './values.ts'

/** Renders with the host's templates, or a link to create the first one. */
export function WithTemplates({
  children,
}: {
  children: (templates: readonly Template[]) => ReactNode
}) {
  const templates = useQuery(allTemplates)
  return (
    <Loaded query={templates} lines={8}>
      {({ items }) =>
        items.length === 0 ? (
          <Card>
            <Empty
              title={t.noTemplates}
              art="templates"
              action={
                <LinkButton kind="primary" to={paths.newTemplate}>
                  {t.importTemplate}
                </LinkButton>
              }
            >
              {t.noTemplatesText}
            </Empty>
          </Card>
        ) : (
          children(items)
        )
      }
    </Loaded>
  )
}

import type { ReactNode } from 'react'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'

/** The result of a step outside the panel, and the link to the next one. */
export function Done({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <Column>
      <Note tone="ok" role="status" title={title}>
        {children === undefined ? null : <Text>{children}</Text>}
      </Note>
      {action}
    </Column>
  )
}

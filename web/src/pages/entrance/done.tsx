import type { ReactNode } from 'react'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'

/** What a step outside of the panel has come to, and where it goes on. */
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

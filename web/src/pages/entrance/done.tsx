import type { ReactNode } from 'react'
import { Column, Text } from '../../ui/layout.tsx'
import { Note } from '../../ui/note.tsx'

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

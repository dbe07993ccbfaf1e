import type { ReactNode } from 'react'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'

/** One thing of a danger zone: what it does, and its button. */
export function DangerRow({
  title,
  text,
  children,
}: {
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <Row between>
      <Column gap={0}>
        <Text strong>{title}</Text>
        <Text small muted>
          {text}
        </Text>
      </Column>
      {children}
    </Row>
  )
}

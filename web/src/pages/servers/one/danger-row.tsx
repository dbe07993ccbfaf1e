import type { ReactNode } from 'react'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'

/** One action in a danger zone: its effect and its button. */
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

import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** A short explanation that shows on hover and on keyboard focus. The child must take a ref. */
export function Hint({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip
      label={text}
      events={{ hover: true, focus: true, touch: true }}
      openDelay={250}
      multiline
      maw={300}
      withArrow
      classNames={{ tooltip: 'l-hint' }}
    >
      {children}
    </Tooltip>
  )
}

import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { type ButtonKind, type ButtonSize, buttonClass } from './button.tsx'

interface AnchorProps extends ComponentProps<'a'> {
  kind?: ButtonKind
  size?: ButtonSize
  icon?: ReactNode
}

function ButtonAnchor({ kind, size, icon, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={buttonClass(kind, size)}>
      {icon}
      {children}
    </a>
  )
}

/** A link to another page that looks like a button. */
export const LinkButton = createLink(ButtonAnchor)

/** A link that looks like a button and opens outside the panel, in a new tab. */
export function NewWindowLink(props: AnchorProps & { href: string }) {
  return <ButtonAnchor {...props} target="_blank" rel="noreferrer" />
}

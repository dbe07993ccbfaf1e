import { createElement, Fragment, type ReactNode } from 'react'

/** What a message with tags returned, such as a sentence with a link in it. */
export const rich = (parts: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...parts)

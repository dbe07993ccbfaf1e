import { Hidden, Text } from '../page/layout.tsx'
import { t } from './words.ts'

/** A figure that nobody knows: it never looks like zero. */
export const Unknown = ({ why = t.notKnown }: { why?: string }) => (
  <Text faint title={why}>
    <span aria-hidden>–</span>
    <Hidden>{why}</Hidden>
  </Text>
)

import { Hidden, Text } from '../page/layout.tsx'

/** A figure that nobody knows: it never looks like zero. */
export const Unknown = ({ why = 'unknown' }: { why?: string }) => (
  <Text faint title={why}>
    <span aria-hidden>–</span>
    <Hidden>{why}</Hidden>
  </Text>
)

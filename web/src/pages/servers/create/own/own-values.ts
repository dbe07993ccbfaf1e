/** The values of the customer's form. */
export interface OwnValues {
  templateId: string
  name: string
  location: string
  memoryMb: number | undefined
  cpuPercent: number | undefined
  diskMb: number | undefined
  variables: Record<string, string>
  image: string
  start: boolean
}

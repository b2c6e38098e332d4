export interface Step {
  readonly kind: string
  readonly slot: number
}
export interface Place {
  readonly seed: number
  readonly wave: number
  readonly agent: number
}
export function planAgent(
  place: Place,
  missing?: ReadonlySet<string>,
): { readonly steps: readonly Step[]; readonly ending: string }
export function planHostKill(place: Omit<Place, 'agent'>): { readonly afterMs: number } | undefined

export type Scale = 'short' | 'full'
export type Outcome = { holds: boolean; figures: Record<string, string | number> }

export type Row = { id: string; promise: string; run(scale: Scale): Promise<Outcome> }

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

export function renderResults(run: object): string

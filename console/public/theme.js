// Before the first paint, so that a chosen theme does not flash in the other colours.
{
  const chosen = localStorage.getItem('gangan.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}

// The chosen theme is set before the first paint, so that the page does not flash; this is why the
// file is not a module. Without a choice the system's preference holds.
{
  let theme = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // Storage may be forbidden; then the choice lasts as long as the page.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

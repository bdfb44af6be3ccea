//! What the machine says of itself and of this process. Linux tells it in `/proc`; elsewhere the
//! answer is `None`.

use std::fs::read_to_string;

/// Bytes of memory that may still be taken: those of the machine, or of the container if fewer.
pub fn free() -> Option<u64> {
    let machine = kibibytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let number = |name| read_to_string(name).ok()?.trim().parse::<u64>().ok();
    let most = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current");
    let container = most.zip(used).map(|(most, used)| most.saturating_sub(used));
    Some(machine.min(container.unwrap_or(u64::MAX)))
}

/// Bytes of memory that this process occupies.
pub fn resident() -> Option<u64> {
    kibibytes(&read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The most that it ever occupied.
pub fn peak() -> Option<u64> {
    kibibytes(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Processor time of all its threads, in seconds.
pub fn cpu_seconds() -> Option<f64> {
    let stat = read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold anything; the numbers begin after it.
    let (_, numbers) = stat.rsplit_once(')')?;
    let mut ticks = numbers.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    // The kernel reports hundredths of a second on every architecture.
    Some((user + system) as f64 / 100.0)
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.split_ascii_whitespace().next()?.parse().ok()?;
    Some(number * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_name() {
        let text = "Name:\tx\nVmHWM:\t    5120 kB\nVmRSS:\t  4096 kB\n";
        assert_eq!(kibibytes(text, "VmRSS:"), Some(4096 * 1024));
        assert_eq!(kibibytes(text, "VmSwap:"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells() {
        let block = vec![1u8; 64 << 20];
        assert!(resident().is_some_and(|bytes| bytes > 64 << 20 && Some(bytes) <= peak()));
        assert!(block.iter().all(|byte| *byte == 1));
        assert!(free().is_some_and(|bytes| bytes > 1 << 20));
        assert!(cpu_seconds().is_some());
    }
}

//! What the machine says of itself and of this process. Linux tells it in `/proc`; elsewhere the
//! answer is `None`.

use std::{
    fs::read_to_string,
    path::{Path, PathBuf},
};

/// Bytes of memory that the machine has free.
pub fn available() -> Option<u64> {
    kibibytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// What the limits set on this process leave of memory, where there are any: those of its control groups, and those
/// of the shell (`ulimit -v`, `ulimit -d`).
pub fn allowed() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = control_groups(&groups).filter_map(|group| group.left());
    let limits = read_to_string("/proc/self/limits").unwrap_or_default();
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    let kinds = [("Max address space", "VmSize:"), ("Max data size", "VmData:")];
    let shell = kinds.iter().filter_map(|(limit, taken)| {
        Some(soft_limit(&limits, limit)?.saturating_sub(kibibytes(&status, taken)?))
    });
    groups.chain(shell).min()
}

/// A folder in which the kernel tells of a control group, and whether it is of the first version.
struct ControlGroup {
    folder: PathBuf,
    first_version: bool,
}

/// The control groups that this process is in, each with all around it, and the root last. In a container the root
/// may be all that can be seen.
fn control_groups(lines: &str) -> impl Iterator<Item = ControlGroup> {
    lines.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (kinds, path) = (fields.next().unwrap_or(""), fields.next().unwrap_or("/"));
        let first_version = kinds.split(',').any(|kind| kind == "memory");
        let root = Path::new("/sys/fs/cgroup").join(if first_version { "memory" } else { "" });
        let path = Path::new(path.trim_start_matches('/'));
        let of_memory = first_version || kinds.is_empty();
        path.ancestors()
            .filter(|_| of_memory)
            .map(|part| ControlGroup { folder: root.join(part), first_version })
            .collect::<Vec<_>>()
    })
}

impl ControlGroup {
    /// Bytes that may still be taken. What is only a copy of files is given up when memory is short.
    fn left(&self) -> Option<u64> {
        let (most, taken, cached) = match self.first_version {
            true => ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
            false => ("memory.max", "memory.current", "inactive_file"),
        };
        let read = |name| read_to_string(self.folder.join(name)).ok();
        let number = |name| read(name)?.trim().parse::<u64>().ok();
        let (most, taken) = (number(most)?, number(taken)?);
        let stat = read("memory.stat").unwrap_or_default();
        let cached = stat.lines().find_map(|line| {
            let (name, bytes) = line.split_once(' ')?;
            (name == cached).then(|| bytes.parse::<u64>().ok())?
        });
        Some(most.saturating_sub(taken.saturating_sub(cached.unwrap_or(0))))
    }
}

/// The soft limit of a name; `None` where it is unlimited.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let rest = limits.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_ascii_whitespace().next()?.parse().ok()
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
    fn limits_are_found_by_name() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         1048576              unlimited            bytes     \n";
        assert_eq!(soft_limit(limits, "Max address space"), Some(1 << 20));
        assert_eq!(soft_limit(limits, "Max data size"), None);
    }

    #[test]
    fn groups_of_both_versions_are_found_with_those_around_them() {
        let folders = |lines| -> Vec<_> {
            control_groups(lines).map(|group| group.folder.display().to_string()).collect()
        };
        let second = ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup/"];
        assert_eq!(folders("0::/a/b\n"), second);
        let first = ["/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory/"];
        assert_eq!(folders("5:devices:/x\n4:cpu,memory:/a\n"), first);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells() {
        let block = vec![1u8; 64 << 20];
        assert!(resident().is_some_and(|bytes| bytes > 64 << 20 && Some(bytes) <= peak()));
        assert!(block.iter().all(|byte| *byte == 1));
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
        assert!(cpu_seconds().is_some());
    }
}

//! A bucket of S3, or of whatever speaks like it. Credentials, region and endpoint are those of the
//! environment (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, …).

use std::{
    error::Error as _,
    io,
    ops::Range,
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::TryStreamExt;
use object_store::{
    BackoffConfig, Error, GetOptions, GetRange, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutPayload, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
    path::Path,
};
use tokio::runtime::{Builder, Runtime};

use crate::objects::{About, Objects, Upload};

pub(crate) struct Bucket {
    shared: Arc<Shared>,
    prefix: String,
    /// Whether the bucket is known to exist.
    exists: OnceLock<()>,
}

struct Shared {
    name: String,
    /// Where the bucket is looked for, as people know it.
    host: String,
    store: AmazonS3,
    runtime: Runtime,
}

/// Instead of an e-tag, where a store has none.
const MODIFIED: &str = "modified ";

/// What tells who we are.
const CREDENTIALS: [&str; 6] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
    "AWS_METADATA_ENDPOINT",
];

impl Bucket {
    pub(crate) fn open(name: &str, prefix: &str) -> Result<Bucket, String> {
        let wrong = |what: String| format!("s3://{name}/{prefix}: {what}");
        if name.is_empty() {
            return Err("s3:// needs a bucket: s3://BUCKET/PREFIX".into());
        }
        Path::parse(prefix).map_err(|error| wrong(error.to_string()))?;
        let builder = AmazonS3Builder::from_env().with_bucket_name(name).with_retry(retry());
        // Not all stores answer as they should when several are removed at once.
        let builder = builder.with_disable_bulk_delete(true);
        let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
        let endpoint = endpoint.iter().find_map(|key| builder.get_config_value(key));
        // Elsewhere than at Amazon nobody tells a machine who it is, and asking takes long.
        if endpoint.is_some() && !CREDENTIALS.iter().any(|name| std::env::var_os(name).is_some()) {
            let what = "no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
            return Err(wrong(what.into()));
        }
        let host = endpoint.unwrap_or_else(|| "amazonaws.com".into());
        let store = builder.build().map_err(|error| wrong(one_line(&error.to_string())))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| wrong(error.to_string()))?;
        let shared = Shared { name: name.into(), host, store, runtime };
        Ok(Bucket { shared: shared.into(), prefix: prefix.into(), exists: OnceLock::new() })
    }

    pub(crate) fn address(&self) -> String {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        format!("s3://{}{slash}{}", self.shared.name, self.prefix)
    }

    /// A name for a folder, which differs for different places.
    pub(crate) fn key(&self) -> String {
        let Shared { name, host, .. } = &*self.shared;
        let host = host.split("://").last().unwrap_or_default().trim_end_matches('/');
        let mut key = String::new();
        for byte in format!("{host}/{name}/{}", self.prefix).bytes() {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' => key.push(byte.into()),
                b'/' => key.push('_'),
                _ => key += &format!("%{byte:02x}"),
            }
        }
        key
    }

    fn path(&self, name: &str) -> io::Result<Path> {
        Path::parse(format!("{}/{name}", self.prefix).trim_start_matches('/'))
            .map_err(io::Error::other)
    }

    /// That an object is missing may mean that its bucket is.
    fn need_bucket(&self) -> io::Result<()> {
        if self.exists.get().is_none() {
            // A folder that is not there will do.
            self.list("-")?;
            self.exists.get_or_init(|| ());
        }
        Ok(())
    }
}

impl Objects for Bucket {
    fn about(&self, name: &str) -> io::Result<Option<About>> {
        let path = self.path(name)?;
        match self.shared.runtime.block_on(self.shared.store.head(&path)) {
            Ok(meta) => Ok(Some(about(meta))),
            Err(Error::NotFound { .. }) => self.need_bucket().map(|()| None),
            Err(error) => Err(self.shared.told(error)),
        }
    }

    fn read(&self, name: &str, about: Option<&About>, bytes: Range<u64>) -> io::Result<Vec<u8>> {
        let tag = about.map(|about| about.tag.clone());
        if bytes.is_empty() {
            return Ok(vec![]);
        }
        let options = GetOptions {
            range: Some(GetRange::Bounded(bytes)),
            if_match: tag.filter(|tag| !tag.starts_with(MODIFIED)),
            ..GetOptions::default()
        };
        let path = self.path(name)?;
        let read = async { self.shared.store.get_opts(&path, options).await?.bytes().await };
        let read = self.shared.runtime.block_on(read);
        read.map(Into::into).map_err(|error| self.shared.told(error))
    }

    fn write(&self, name: &str, content: Vec<u8>) -> io::Result<()> {
        let path = self.path(name)?;
        let put = self.shared.store.put(&path, PutPayload::from(content));
        let put = self.shared.runtime.block_on(put);
        put.map(|_| ()).map_err(|error| self.shared.told(error))
    }

    fn upload(&self, name: &str) -> io::Result<Box<dyn Upload>> {
        let path = self.path(name)?;
        let upload = self.shared.runtime.block_on(self.shared.store.put_multipart(&path));
        let upload = upload.map_err(|error| self.shared.told(error))?;
        Ok(Box::new(Pieces { shared: self.shared.clone(), upload, finished: false }))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<(String, u64)>> {
        let path = self.path(folder)?;
        let listed = self.shared.store.list(Some(&path)).try_collect::<Vec<ObjectMeta>>();
        let listed = self.shared.runtime.block_on(listed);
        let listed = listed.map_err(|error| self.shared.told(error))?;
        let name = |meta: &ObjectMeta| meta.location.filename().unwrap_or_default().to_string();
        let mut names: Vec<_> = listed.iter().map(|meta| (name(meta), meta.size)).collect();
        names.sort();
        Ok(names)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path(name)?;
        match self.shared.runtime.block_on(self.shared.store.delete(&path)) {
            Ok(()) => Ok(()),
            Err(Error::NotFound { .. }) => self.need_bucket(),
            Err(error) => Err(self.shared.told(error)),
        }
    }
}

struct Pieces {
    shared: Arc<Shared>,
    upload: Box<dyn MultipartUpload>,
    finished: bool,
}

impl Upload for Pieces {
    fn put(&mut self, piece: Vec<u8>) -> io::Result<()> {
        let put = self.upload.put_part(PutPayload::from(piece));
        self.shared.runtime.block_on(put).map_err(|error| self.shared.told(error))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let finished = self.shared.runtime.block_on(self.upload.complete());
        finished.map_err(|error| self.shared.told(error))?;
        self.finished = true;
        Ok(())
    }
}

/// Pieces of what was never finished cost money.
impl Drop for Pieces {
    fn drop(&mut self) {
        if !self.finished {
            let _ = self.shared.runtime.block_on(self.upload.abort());
        }
    }
}

impl Shared {
    /// What went wrong, in a line.
    fn told(&self, error: Error) -> io::Error {
        let text = error.to_string();
        let line = match &error {
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => format!(
                "{} refuses the credentials; see AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and \
                 AWS_REGION",
                self.host
            ),
            _ if text.contains("NoSuchBucket") => {
                format!("there is no bucket '{}' at {}", self.name, self.host)
            }
            Error::NotFound { .. } => "there is no such object".into(),
            Error::Precondition { .. } => "it was replaced meanwhile; try again".into(),
            error => match trouble(error) {
                Some(trouble) => format!("no answer from {}: {trouble}", self.host),
                None => one_line(&text),
            },
        };
        io::Error::other(line)
    }
}

/// What the system says, where no answer came.
fn trouble(error: &Error) -> Option<String> {
    let mut next = error.source();
    let mut deepest = None;
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            deepest = Some(one_line(&error.to_string()));
        }
        next = error.source();
    }
    deepest
}

fn about(meta: ObjectMeta) -> About {
    let tag = meta.e_tag.unwrap_or_else(|| format!("{MODIFIED}{}", meta.last_modified));
    About { size: meta.size, tag }
}

/// A failure is tried again for about three seconds where it comes at once, and for half a minute where
/// nobody answers.
fn retry() -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(200),
        max_backoff: Duration::from_secs(5),
        base: 2.0,
    };
    RetryConfig { backoff, max_retries: 4, retry_timeout: Duration::from_secs(60) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
